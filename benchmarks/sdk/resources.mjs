/** What this process has used. */

/** User and system time of all of its threads, in microseconds. */
export function cpuTime() {
  const { user, system } = process.cpuUsage()
  return user + system
}

/** In MB. */
export function peakMemory() {
  return process.resourceUsage().maxRSS / 1024
}
