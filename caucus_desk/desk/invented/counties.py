"""Names for the sample. Iowa's counties and their districts (2011 lines) are facts, all else is invented."""


def _names(text: str) -> tuple[str, ...]:
    return tuple(" ".join(name.split()) for name in text.split(","))


DISTRICTS = {
    "1": _names(
        """Allamakee, Benton, Black Hawk, Bremer, Buchanan, Clayton, Delaware, Dubuque, Fayette,
        Howard, Iowa, Jackson, Jones, Linn, Marshall, Mitchell, Poweshiek, Tama, Winneshiek, Worth"""
    ),
    "2": _names(
        """Appanoose, Cedar, Clarke, Clinton, Davis, Decatur, Des Moines, Henry, Jasper, Jefferson,
        Johnson, Keokuk, Lee, Louisa, Lucas, Mahaska, Marion, Monroe, Muscatine, Scott, Van Buren,
        Wapello, Washington, Wayne"""
    ),
    "3": _names(
        """Adair, Adams, Cass, Dallas, Fremont, Guthrie, Madison, Mills, Montgomery, Page, Polk,
        Pottawattamie, Ringgold, Taylor, Union, Warren"""
    ),
    "4": _names(
        """Audubon, Boone, Buena Vista, Butler, Calhoun, Carroll, Cerro Gordo, Cherokee, Chickasaw,
        Clay, Crawford, Dickinson, Emmet, Floyd, Franklin, Greene, Grundy, Hamilton, Hancock,
        Hardin, Harrison, Humboldt, Ida, Kossuth, Lyon, Monona, O'Brien, Osceola, Palo Alto,
        Plymouth, Pocahontas, Sac, Shelby, Sioux, Story, Webster, Winnebago, Woodbury, Wright"""
    ),
}

# How many precincts the larger counties of the sample have, and what their wards are called. Invented.
LARGE = {
    "Polk": (172, "DES MOINES"),
    "Linn": (88, "CEDAR RAPIDS"),
    "Scott": (66, "DAVENPORT"),
    "Black Hawk": (58, "WATERLOO"),
    "Johnson": (57, "IOWA CITY"),
    "Story": (45, "AMES"),
    "Woodbury": (45, "SIOUX CITY"),
    "Pottawattamie": (41, "COUNCIL BLUFFS"),
    "Dubuque": (38, "DUBUQUE"),
    "Dallas": (38, "WAUKEE"),
    "Clinton": (27, "CLINTON"),
    "Warren": (29, "INDIANOLA"),
    "Cerro Gordo": (26, "MASON CITY"),
    "Webster": (26, "FORT DODGE"),
    "Wapello": (24, "OTTUMWA"),
    "Muscatine": (23, "MUSCATINE"),
    "Des Moines": (22, "BURLINGTON"),
    "Lee": (22, "KEOKUK"),
    "Marshall": (19, "MARSHALLTOWN"),
    "Jasper": (20, "NEWTON"),
}

TOWNSHIPS = _names(
    """Alder, Bluestem, Box Elder, Bur Oak, Clearwater, Cottonwood, Coneflower, Crow Creek, Deer Run,
    Elm Grove, Fallow, Four Corners, Goldfinch, Hawthorn, Hickory, High Prairie, Honey Locust,
    Ironwood, Juniper, Kingfisher, Larkspur, Little River, Long Meadow, Maple Bend, Meadowlark,
    Millrace, Mulberry, New Sweden, North Fork, Osage, Otter, Pheasant, Pilot Knob, Prairie Rose,
    Quarry, Red Barn, Rush Lake, Sandhill, Silver Lake, South Fork, Spring Valley, Stone Bridge,
    Sumac, Sycamore, Thistle, Timber Creek, Turkey Foot, Two Rivers, Upland, Walnut, West Bank,
    Wheatland, Wild Plum, Willow, Windrow, Zoë's Landing"""
)

SITES = _names(
    """Public library, Union hall, Campus center, Care home east, Care home west, Fire station, Senior
    center, Packing plant canteen, Hospital chapel, Community hall, School for the deaf, Bus garage,
    Night shift room, Meeting house, Veterans' home"""
)
ABROAD = _names(
    "Brooklyn, Chicago, Edinburgh, Lisbon, Minneapolis, Phoenix, Portland, San Diego, Tampa, Washington"
)

CHAIR_FIRST = _names(
    "Ada, Ben, Cora, Dell, Edith, Frank, Gwen, Hollis, Ines, Jonas, Karin, Leo, Mae, Nils, Opal, Pia"
)
CHAIR_LAST = _names(
    """Ackerman, Bjornson, Castillo, Dvorak, Ebersole, Fitch, Goodenow, Hovland, Ivers, Jurgens,
    Kratoska, Lindgren, Mescher, Novotny, Olthoff, Peña, Quist, Ruskamp, Stolz, Tiedt, Unruh, Vander
    Meer, Wessels, Yoder"""
)
PHONE_CLERKS = _names(
    """Amy Okafor, Bill Tran, Carla Reyes, Dan Hovick, Eve Lindqvist, Fay Morris, Gus Petrov, Hana
    Sato, Ike Turner-Bell, Joy Adeyemi, Kim Larson, Lou Ferrante, Mia Novak, Ned Ryan, Ola Berg, Pat
    Quigley"""
)
PAPER_CLERKS = _names(
    """Rosa Delgado, Sam Whitaker, Tess Arendt, Uma Nair, Vic Sandoval, Wes Carver, Xenia Popov, Yara
    Haddad, Zack Bloom, Ann-Marie Kolb, Bo Christensen, Cy Young-Hale"""
)
APP_FEED = "app feed"
REVIEWERS = ("Nora Feld", "Theo Marsh", "Iris Vance")
