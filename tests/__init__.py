"""Tests of the package. Collecting them writes bytecode, even where Python is told to write none.

pytest rewrites the modules of its plugins, such as hypothesis, and of our tests: without bytecode, each process of a
run rewrites all of them, and the processes that tests start compile what they import.
"""

import sys

WRITES_NO_BYTECODE = sys.dont_write_bytecode
sys.dont_write_bytecode = False
