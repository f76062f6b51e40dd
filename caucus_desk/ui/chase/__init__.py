"""The Paper page: which worksheets are missing, who goes for them, what lies here unkeyed."""
