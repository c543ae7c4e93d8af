#!/bin/sh
# What `npx` and its like do: the server is a grandchild, and the wrapper does not end it when it ends itself.
exec 3<&0
"$@" <&3 3<&- &
exec 3<&-
wait
