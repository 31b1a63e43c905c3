// The server of this blog where it runs, else one that runs for a moment, called with the API key.
import { makeApp } from '../../backend/app.ts'
import { makeLog } from '../../backend/process/log.ts'
import type { Config, readConfig } from '../../backend/settings/config.ts'
import { SettingError } from '../../backend/settings/setting-definitions.ts'
import { type Call, makeServerCall } from '../admin/server.ts'
import { findPort } from '../processes.ts'

/** Runs `work` with calls of the API key to the server of this blog. */
export async function withServer<Result>(
  config: ReturnType<typeof readConfig>,
  work: (call: Call) => Promise<Result>,
): Promise<Result> {
  const running = await findRunning(config)
  if (running) return await work(running)
  const port = await findPort()
  const own: Config = { ...config, host: '127.0.0.1', port, hasRateLimits: false }
  const app = await makeApp(own, makeLog('warn'), {
    now: () => new Date(),
    pages: undefined,
    onFatal: (error) => void process.stderr.write(`${String(error)}\n`),
  })
  try {
    await app.listen()
    return await work(await makeServerCall(own, { url: undefined, key: app.apiKey }))
  } finally {
    await app.close({ graceMs: 0 })
  }
}

/** Undefined where no server of this blog answers: one with another key is another blog. */
async function findRunning(config: Config): Promise<Call | undefined> {
  if (config.port === 0) return undefined
  try {
    const call = await makeServerCall(config, { url: undefined, key: undefined })
    await call('GET', '/users?queries[0]=limit(1)')
    return call
  } catch (error) {
    if (error instanceof SettingError) return undefined
    throw error
  }
}
