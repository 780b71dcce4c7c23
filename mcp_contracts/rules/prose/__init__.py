"""MC337, MC516 and MC517: prose that is checked against the properties and schemas of a tool."""
