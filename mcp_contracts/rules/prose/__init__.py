"""MC337, MC516 and MC517: prose compared with the properties and schemas of a tool."""
