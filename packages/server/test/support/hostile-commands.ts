/** What a hostile command tries, as shell scripts. Each of them would succeed without a sandbox, or find nothing to do. */
import { chownSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What the script knows: more than an agent could find out. */
export interface Known {
  state: string
  /** The owner's home directory. */
  home: string
  pid: number
  apiUrl: string
  /** Of a waiting approval. */
  approvalId: string
  /** That may chat: what a terminal of the same account has. */
  token: string
  gatewayUrl: string
  credential: string
  /** In the server's command line. */
  pattern: string
}

/** Reads the state folder by every way that a command has. */
export function readState({ state, pid }: Pick<Known, 'state' | 'pid'>): string {
  return `
S='${state}'
for f in canary.txt config.jsonc cli-token server.json logs/dorkos.log dorkos.db dorkos.db-wal; do head -c 300000 "$S/$f"; done 2>&1 | strings | grep -a -E 'CANARY|dork_' | head -20
echo "listed: $(ls -A "$S" | wc -l) found: $(find "$S" -type f | wc -l)"
node -e "console.log(require('fs').readFileSync('$S/canary.txt', 'utf8'))" 2>&1 | grep -o 'CANARY[A-Za-z0-9-]*'
ln -s "$S" link; cat link/canary.txt
ln "$S/canary.txt" hard; cat hard
for p in self 1 $PPID ${pid}; do cat "/proc/$p/root$S/canary.txt"; done
cp -r "$S" copy; cat copy/canary.txt
tar cf - "$S" 2>/dev/null | strings | grep -o 'CANARY[A-Za-z0-9-]*' | sort -u
umount "$S"; unshare -rm sh -c "umount '$S'; cat '$S/canary.txt'"; nsenter -t ${pid} -m cat "$S/canary.txt"
mv "$S" moved && cat moved/canary.txt
cat control.txt
`
}

/** Looks for keys in the environment and in other processes. Prints nothing else of those. */
export function findKeys({ pid }: Pick<Known, 'pid'>): string {
  const secrets = 'sk-test[a-z-]+|dorkos-session-[A-Za-z0-9_-]+|dork_[A-Za-z0-9_-]+'
  return `
env
cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n' | grep -aoE '${secrets}' | sort -u
cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' '\\n' | grep -aoE '${secrets}' | sort -u
ps auxeww 2>/dev/null | grep -aoE '${secrets}' | sort -u
test -e /proc/${pid}/status && echo "sees the server"
echo "processes: $(ls -d /proc/[0-9]* | wc -l)"
`
}

/** Writes into the state folder: a token, a rule, the configuration, the folders that are loaded from. */
export function writeState({ state, home }: Pick<Known, 'state' | 'home'>): string {
  const token = `insert into tokens (id, hash, record) values ('tok_hostile', '00', '{}')`
  const rule = `insert into rules (id, record) values ('rule_hostile', '{}')`
  return `
S='${state}'; H='${home}'
sqlite3 "$S/dorkos.db" "${token}; ${rule}"
python3 -c 'import sqlite3,sys; c = sqlite3.connect(sys.argv[1]); c.execute(sys.argv[2]); c.commit()' "$S/dorkos.db" "${token}"
echo '// hostile' >> "$S/config.jsonc"; echo hostile > "$S/cli-token"; echo hostile > "$S/new.txt"; rm -rf "$S/logs"
for f in .bashrc .profile .zshenv .claude.json .claude/settings.json .claude/hooks/h.sh .ssh/authorized_keys new.txt; do mkdir -p "$H/$(dirname $f)"; echo hostile > "$H/$f"; done
for f in .claude/settings.json .claude/settings.local.json .claude/hooks/h.sh .claude/skills/s/SKILL.md .mcp.json .dorkos/tools/t.mjs .git/hooks/pre-commit; do mkdir -p "$(dirname $f)"; echo hostile > "$f"; done
echo written > in-workspace.txt
`
}

/** Calls the server and the model gateway, with all that there is to know, by every way out. */
export function callServer(known: Known, marker: string): string {
  const { apiUrl, approvalId, token, gatewayUrl, credential } = known
  const port = new URL(apiUrl).port
  return `
P=${port}
for h in 127.0.0.1 localhost LOCALHOST. 127.1 2130706433 0x7f000001 0177.0.0.1 0.0.0.0 '[::1]' '[::]' '[::ffff:127.0.0.1]' $(hostname) $(hostname -I); do
  curl -g -s -m 3 --noproxy '*' "http://$h:$P/api/${marker}"
  for x in "$HTTP_PROXY" "$HTTPS_PROXY" "$ALL_PROXY"; do
    test -n "$x" && curl -g -s -m 3 --noproxy '' -x "$x" "http://$h:$P/api/${marker}"
    test -n "$x" && curl -g -s -m 3 --noproxy '' -x "$x" -p "http://$h:$P/api/${marker}"
  done
done
for t in '' '${token}'; do
  curl -s -m 3 -H "authorization: Bearer $t" "${apiUrl}/api/${marker}"
  curl -s -m 3 -X POST -H "authorization: Bearer $t" -H 'content-type: application/json' -d '{"decision":"allow","scope":"once"}' "${apiUrl}/api/approvals/${approvalId}/answer"
  curl -s -m 3 -X POST -H "authorization: Bearer $t" -H 'content-type: application/json' -d '{"title":"hostile"}' "${apiUrl}/api/sessions"
done
curl -s -m 3 -X POST -H 'authorization: Bearer ${credential}' -H 'content-type: application/json' -d '{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"hostile"}]}' "${gatewayUrl}/v1/messages"
node -e "fetch('${apiUrl}/api/${marker}').then(r => console.log('reached', r.status), e => console.log('not reached'))"
`
}

/** Ends the server, and takes its place. Never by a name that another program could have. */
export function takeOver({ pid, pattern, apiUrl }: Pick<Known, 'pid' | 'pattern' | 'apiUrl'>): string {
  const port = new URL(apiUrl).port
  return `
kill -9 ${pid}; pkill -9 -f '${pattern}'; fuser -k ${port}/tcp
timeout 2 node -e "require('http').createServer((q, s) => s.end('hostile')).listen(${port}, '127.0.0.1', () => console.log('listens')).on('error', (e) => console.log(e.code))"
`
}

/** Looks for the sockets by which sessions of the CLI talk to each other. */
export function findSockets({ home }: Pick<Known, 'home'>): string {
  return `
env | grep MESSAGING
for s in $(find '${home}' -type s 2>/dev/null | head -20); do
  node -e "require('net').connect(process.argv[1]).on('connect', () => { console.log('connected'); process.exit() }).on('error', () => {})" "$s"
done
`
}

/** A file of another user's, closed to others: where the tests are root, who can make one. */
export function leaveOthersFile(folder: string): void {
  if (process.getuid?.() !== 0) return
  const file = join(folder, 'others.txt')
  writeFileSync(file, 'CANARY-OTHERS', { mode: 0o600 })
  chownSync(file, 12_345, 12_345)
}

/**
 * What the sandbox of an ordinary user leaves open, of what `rootOnly` tries: everybody may write to `/proc/pressure` (to be told of
 * something, no more), and `ns_last_pid` belongs to the sandbox's own namespace. Root's sandbox and containers close these, too.
 */
export const openToUsers = /^writes \/proc\/(?:pressure\/\w+|sys\/kernel\/ns_last_pid)$/

/**
 * Opens files of the kernel for writing, without writing, and those that only root may read; makes folders among the kernel's, of which each
 * would be a thing of its own, such as a cgroup; and does what only root may. What it got is told, one line each; then a line that it must
 * get.
 */
export const rootOnly = `
for f in $(find /proc /sys -maxdepth 6 \\( -path '/proc/[0-9]*' -o -path /proc/self -o -path /proc/thread-self \\) -prune -o -type f -print 2>/dev/null); do
  true 2>/dev/null >> "$f" && echo "writes $f"
done
find /proc/sys /sys -maxdepth 6 -type d -printf '%p/hostile\\0' 2>/dev/null > folders
xargs -0 mkdir -v < folders 2>/dev/null
xargs -0 rmdir < folders 2>/dev/null
for f in /proc/kmsg /proc/kcore /proc/kpagecount /proc/kpageflags /proc/timer_list /proc/slabinfo /proc/vmallocinfo /sys/kernel/debug/* /sys/firmware/efi/efivars/*; do
  true 2>/dev/null < "$f" && echo "reads $f"
done
for f in mem kmem port kmsg sda vda nvme0n1 kvm fuse net/tun loop-control; do test -e "/dev/$f" && echo "has /dev/$f"; done
true 2>/dev/null < others.txt && echo "reads a file of another user"
test "$(id -u)" = 0 && echo "is root"
grep -E '^(CapInh|CapPrm|CapEff|CapAmb):' /proc/self/status | grep -v '0000000000000000$'
grep -q '^NoNewPrivs:.*1' /proc/self/status || echo "may gain rights"
exec 2>/dev/null
mount -t tmpfs x /mnt && echo "mounts"
mount -o remount,rw,bind /proc/sys && echo "mounts again"
umount /proc/sys && echo "unmounts"
mknod device c 1 1 && echo "makes devices"
echo x > owned; chown 1:1 owned && echo "gives files away"
chroot / true && echo "changes the root"
hostname hostile && echo "names the machine"
unshare -Ur true && echo "makes namespaces"
echo "$(cat /proc/sys/kernel/ostype) was asked"
`
