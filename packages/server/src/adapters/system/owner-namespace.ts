/**
 * A namespace in which root and one other user are who they are outside, and nobody else is anybody: root mounts in it, and then becomes the
 * other. Bubblewrap by itself knows one user, who stays who called it.
 */

/**
 * A script of the shell: user, group and a command, which it becomes. The map can be written from outside alone, and by root: so a child stays
 * there until its parent is in the new namespace. Only then does what is started have the rights of root in it.
 */
export const inOwnerNamespace = `
uid=$1 gid=$2
shift 2
(
  while [ "/proc/$$/ns/user" -ef /proc/self/ns/user ]; do sleep 0.01; done
  if [ "$gid" = 0 ]; then groups= ; else groups="
$gid $gid 1"; fi
  printf '0 0 1%s\\n' "$groups" > "/proc/$$/gid_map"
  printf '0 0 1\\n%s %s 1\\n' "$uid" "$uid" > "/proc/$$/uid_map"
) < /dev/null > /dev/null 2>&1 &
exec unshare --user -- /bin/sh -c '
  tries=500
  until read -r map < /proc/self/uid_map; do
    tries=$((tries - 1))
    if [ "$tries" -lt 1 ]; then
      echo "DorkOS: no namespace could be made for the owner of this workspace." >&2
      exit 1
    fi
    sleep 0.01
  done
  exec "$@"
' sh "$@"
`

/** Arguments of bubblewrap in there: all that is needed to become the other user. */
export const mayChangeUser = [
  '--cap-drop',
  'ALL',
  ...['CAP_SETUID', 'CAP_SETGID', 'CAP_SETPCAP'].flatMap((right) => ['--cap-add', right]),
]
