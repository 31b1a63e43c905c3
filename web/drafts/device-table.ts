// The browser's database as plain tables. What was set outlives a crash of the tab and of the
// browser. Each call rejects where there is no database, or no room.
import { createStore, delMany, entries, set } from 'idb-keyval'

export type DeviceTable<Value> = {
  /** All whose key begins so. */
  findAll(prefix: string): Promise<[key: string, value: Value][]>
  set(key: string, value: Value): Promise<void>
  remove(keys: string[]): Promise<void>
}

export function openTable<Value>(database: string, store: string): DeviceTable<Value> {
  const table = createStore(database, store)
  // All are async functions: where the browser has no database, the package throws at once.
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
