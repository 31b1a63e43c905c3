// The browser's database (IndexedDB) as plain tables. Stored values survive a crash of the tab and
// of the browser. Each call rejects when there is no database, or no room in it.
import { createStore, delMany, entries, set } from 'idb-keyval'

export type DeviceTable<Value> = {
  /** All entries whose key begins with the prefix. */
  findAll(prefix: string): Promise<[key: string, value: Value][]>
  set(key: string, value: Value): Promise<void>
  remove(keys: string[]): Promise<void>
}

export function openTable<Value>(database: string, store: string): DeviceTable<Value> {
  const table = createStore(database, store)
  // All are async, so that they reject: without a database, the package throws synchronously.
  return {
    async findAll(prefix) {
      const all = await entries<string, Value>(table)
      return all.filter(([key]) => key.startsWith(prefix))
    },
    async set(key, value) {
      await set(key, value, table)
    },
    async remove(keys) {
      await delMany(keys, table)
    },
  }
}
