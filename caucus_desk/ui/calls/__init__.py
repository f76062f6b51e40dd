"""The Calls page: whom to call back, and every call that came."""
