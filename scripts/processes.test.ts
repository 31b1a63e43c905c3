import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { findPort } from './processes.ts'

/** The state in which Linux shows a connection that its own side closed first. */
const TIME_WAIT = '06'

test.runIf(process.platform === 'linux')(
  'a free port stays free until its finder listens: the system holds it back from others',
  async () => {
    const port = await findPort()
    const hex = port.toString(16).toUpperCase().padStart(4, '0')
    const tables = await Promise.all(['tcp', 'tcp6'].map((one) => readFile(`/proc/net/${one}`)))
    const states = tables
      .flatMap((table) => table.toString().split('\n'))
      .map((line) => line.trim().split(/\s+/))
      .filter(([, local]) => local?.endsWith(`:${hex}`))
      .map(([, , , state]) => state)
    expect(states).toEqual([TIME_WAIT])
    const server = createServer().listen(port)
    await once(server, 'listening')
    server.close()
  },
)
