// A map that may be larger than memory: rows of a temporary SQLite database, which SQLite writes to
// the disk when they are many, and removes when the database is closed.
import SqliteFile from 'better-sqlite3'

export type DiskMap<Value> = Disposable & {
  readonly size: number
  /** @returns false, without a change, when the key is there already */
  add(key: string, value: Value): boolean
  get(key: string): Value | undefined
  /** In the order of the keys, those with this beginning. The map may be read meanwhile. */
  entries(beginning?: string): Generator<[key: string, value: Value]>
}

const CACHE_KIB = 8192
const BATCH_ROWS = 500

/** Values are stored as JSON. */
export function makeDiskMap<Value>(): DiskMap<Value> {
  const file = new SqliteFile('')
  file.pragma('journal_mode = off')
  file.pragma('synchronous = off')
  file.pragma(`cache_size = -${CACHE_KIB}`)
  file.exec('create table entry (key text primary key, value text not null) without rowid')
  file.exec('begin')
  const insert = file.prepare('insert into entry values (?, ?) on conflict do nothing')
  const select = file.prepare<[string]>('select value from entry where key = ?').pluck()
  const selectAfter = file
    .prepare<[string, string, number]>(
      'select key, value from entry where key > ? and key < ? order by key limit ?',
    )
    .raw()
  let size = 0
  return {
    get size() {
      return size
    },
    add(key, value) {
      const { changes } = insert.run(key, JSON.stringify(value))
      size += changes
      return changes > 0
    },
    get(key) {
      const value = select.get(key)
      return typeof value === 'string' ? (JSON.parse(value) as Value) : undefined
    },
    *entries(beginning = '') {
      let last = beginning
      for (;;) {
        const rows = selectAfter.all(last, `${beginning}\u{10ffff}`, BATCH_ROWS) as [
          string,
          string,
        ][]
        for (const [key, value] of rows) yield [key, JSON.parse(value) as Value]
        const end = rows.at(-1)
        if (!end) return
        last = end[0]
      }
    },
    [Symbol.dispose]() {
      file.close()
    },
  }
}
