// The browser's database as a plain store of texts, for drafts that are too large for localStorage.
// Knows nothing of drafts.

import type { LargeStore } from './draft-store.ts'

const DATABASE = 'drafts'
const TABLE = 'text'

function answerOf<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

async function openDatabase(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, 1)
  request.onupgradeneeded = () => request.result.createObjectStore(TABLE)
  return answerOf(request)
}

/** Runs one change or question, and waits until it is on the disk. */
async function withTable<Result>(
  mode: IDBTransactionMode,
  ask: (table: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const database = await openDatabase()
  try {
    const transaction = database.transaction(TABLE, mode, { durability: 'strict' })
    const done = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve()
      transaction.onabort = () => reject(transaction.error)
    })
    const [answer] = await Promise.all([answerOf(ask(transaction.objectStore(TABLE))), done])
    return answer
  } finally {
    database.close()
  }
}

function rangeOf(prefix: string): IDBKeyRange {
  return IDBKeyRange.bound(prefix, `${prefix}\uffff`)
}

export const browserLargeStore: LargeStore = {
  async findAll(prefix) {
    return (
      await withTable<unknown[]>('readonly', (table) => table.getAll(rangeOf(prefix)))
    ).filter((text) => typeof text === 'string')
  },
  async set(key, text) {
    await withTable('readwrite', (table) => table.put(text, key))
  },
  async remove(key) {
    await withTable('readwrite', (table) => table.delete(key))
  },
  async removeAll(prefix) {
    await withTable('readwrite', (table) => table.delete(rangeOf(prefix)))
  },
}
