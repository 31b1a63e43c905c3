// The check itself can fail: with this project's set-up, a failed test ends the run with code 1.
// @module-tag more
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { commandFile, toolEnv } from '../scripts/processes.ts'

test.each([
  { name: 'a failed test', is: 2, code: 1 },
  { name: 'a passed test', is: 1, code: 0 },
])('$name ends the run with code $code', async ({ is, code }) => {
  const folder = await mkdtemp(join(tmpdir(), 'lamplight-check-'))
  try {
    const settings = {
      test: {
        globals: true,
        testTimeout: 240_000,
        globalSetup: [resolve('test/support/servers.ts')],
      },
    }
    await writeFile(join(folder, 'vitest.config.mjs'), `export default ${JSON.stringify(settings)}`)
    await writeFile(
      join(folder, 'one.test.js'),
      `import { inject } from ${JSON.stringify(resolve('node_modules/vitest/dist/index.js'))}
       test('one', async () => {
         expect((await fetch(inject('serversUrl') + '/postgres')).status).toBe(200)
         expect(1).toBe(${is})
       })`,
    )
    expect(await exitCode(['run', '--root', folder])).toBe(code)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

async function exitCode(args: string[]): Promise<number | null> {
  return await new Promise((done) => {
    const child = execFile(process.execPath, [commandFile('vitest'), ...args], {
      env: toolEnv(),
    })
    child.once('exit', done)
  })
}
