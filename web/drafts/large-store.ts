// The browser's database as a plain storage of texts, for drafts that are too large for
// localStorage. A text that was set outlives a crash of the tab and of the browser.

import { createStore, del, delMany, entries, keys, set } from 'idb-keyval'
import type { LargeStorage } from './draft-store.ts'

const table = createStore('drafts', 'text')

// All are async functions: where the browser has no database, the package throws at once.
export const browserLargeStorage: LargeStorage = {
  async findAll(prefix) {
    const all = await entries<string, unknown>(table)
    return all.flatMap(([key, text]) =>
      key.startsWith(prefix) && typeof text === 'string' ? [text] : [],
    )
  },
  async set(key, text) {
    await set(key, text, table)
  },
  async remove(key) {
    await del(key, table)
  },
  async removeAll(prefix) {
    const all = await keys<string>(table)
    await delMany(
      all.filter((key) => key.startsWith(prefix)),
      table,
    )
  },
}
