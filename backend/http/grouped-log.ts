// Lines of one kind in the log: once in a while for each group, with a count, so that what happens
// often does not fill the disk.

/** Notes that something happened. @param details of what is written first for the group */
export type GroupedLog<Details> = (group: string, details: Details) => void

/** @param needs `others` is the group of all that come when there are `groupsMax` already */
export function makeGroupedLog<Details>(needs: {
  everyMs: number
  groupsMax: number
  others: string
  write: (group: string, count: number, details: Details) => void
}): GroupedLog<Details> {
  const { everyMs, groupsMax, others, write } = needs
  /** What is not written yet, by group. */
  const pending = new Map<string, number>()

  function writeNow(group: string, count: number, details: Details): void {
    write(group, count, details)
    pending.set(group, 0)
    setTimeout(() => {
      const more = pending.get(group) ?? 0
      pending.delete(group)
      if (more > 0) writeNow(group, more, details)
    }, everyMs).unref()
  }
  return (named, details) => {
    const group = pending.has(named) || pending.size < groupsMax ? named : others
    const count = pending.get(group)
    if (count === undefined) writeNow(group, 1, details)
    else pending.set(group, count + 1)
  }
}
