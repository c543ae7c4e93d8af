// What both tools need. Only files directly in the folder are taken for modules with tools; this one is in a folder below it.

/** Midnight of that day, in UTC: a day has 24 hours there. */
export function toDate(text) {
  return new Date(`${text}T00:00:00Z`)
}

export function dateText(date) {
  return date.toISOString().slice(0, 10)
}

export function isWorkingDay(date, holidays) {
  const weekday = date.getUTCDay()
  return weekday !== 0 && weekday !== 6 && !holidays.has(dateText(date))
}
