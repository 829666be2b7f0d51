"""Programs that the judge must accept, and programs that it must find out.

healthy    a correct client
cheats     clients that try to pass without being right
selftest   every wrong client is rejected, every healthy one accepted
accountants  the same for accountants of whole runs
found_out  how long it takes to find out each cheat
"""
