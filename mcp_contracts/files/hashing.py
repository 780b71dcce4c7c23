"""Hash functions without `hashlib`, which loads OpenSSL: that takes 5% of the time of a lint of one file."""

from __future__ import annotations

TYPE_CHECKING = False  # type checkers assume True
if TYPE_CHECKING:
    from hashlib import blake2b as blake2b
    from hashlib import sha256 as sha256
else:
    try:
        from _blake2 import blake2b as blake2b

        try:
            from _sha2 import sha256 as sha256
        except ImportError:
            from _sha256 import sha256 as sha256  # before Python 3.12
    except ImportError:
        from hashlib import blake2b as blake2b
        from hashlib import sha256 as sha256
