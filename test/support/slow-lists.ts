// Loaded into a server process by NODE_OPTIONS: while the file named by SLOW_LISTS exists, lists of
// posts take longer than a rendered page waits for them.
import { existsSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { PAGE_DATA_TIMEOUT_MS } from '#contract/limits.ts'

let dispatch: typeof fetch | undefined

Object.defineProperty(globalThis, '__dispatch', {
  get: () => dispatch,
  set(ofServer: typeof fetch) {
    dispatch = async (input, init) => {
      const isList = /\/documents\?/.test(String(input))
      if (isList && existsSync(process.env.SLOW_LISTS ?? '')) await delay(PAGE_DATA_TIMEOUT_MS * 2)
      return ofServer(input, init)
    }
  },
})
