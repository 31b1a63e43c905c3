// Lines of CSV. @source RFC 4180

/** An apostrophe keeps spreadsheets from reading a cell as a formula. */
export function csvLine(cells: readonly string[]): string {
  const quoted = cells.map(
    (cell) => `"${cell.replace(/^(?=[=+\-@\t\r])/, "'").replaceAll('"', '""')}"`,
  )
  return `${quoted.join(',')}\r\n`
}
