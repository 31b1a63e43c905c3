// The findings of doctor that operators see: all checks on request, otherwise only quick ones that
// contact no other server. One examination runs at a time, in a thread, with a time limit.

import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { wireTime } from '#contract/ids.ts'
import type { Checks } from '#contract/operator.ts'
import type { Examination, Finding } from '../doctor/finding.ts'
import type { Config } from '../settings/config.ts'
import type { BaseContext } from '../site/context.ts'

const LIMIT_MS = 60_000
/** Older findings are replaced in the background when they are read. */
const FRESH_MS = 60 * 60 * 1000
const THREAD_LIMITS = { maxOldGenerationSizeMb: 256 }
const TOO_LONG: Finding = {
  level: 'warning',
  about: 'checks',
  text: 'took too long here: run npm run doctor on the server',
}

type CheckOptions = BaseContext & { config: Config }

export type DoctorChecks = ReturnType<typeof makeDoctorChecks>

export function makeDoctorChecks({ background, log, now, config }: CheckOptions) {
  let endedAtMs: number | undefined
  let findings: Finding[] = []
  let running: Promise<void> | undefined

  async function examine(isLocal: boolean): Promise<void> {
    // Without the environment: misspelt settings are reported in the terminal, where they are set.
    const workerData: Examination = { ...config, env: {}, isLocal }
    const program = new URL('../doctor/doctor-thread.ts', import.meta.url)
    const thread = new Worker(program, { workerData, resourceLimits: THREAD_LIMITS })
    try {
      const signal = AbortSignal.timeout(LIMIT_MS)
      ;[findings] = (await once(thread, 'message', { signal })) as [Finding[]]
    } catch (error) {
      log.warn({ err: error }, 'the checks of the server did not end')
      findings = [TOO_LONG]
    } finally {
      endedAtMs = now().getTime()
      await thread.terminate()
    }
  }

  const start = (isLocal: boolean) => {
    running ??= examine(isLocal).finally(() => {
      running = undefined
    })
    return running
  }
  const last = (): Checks => ({
    at: endedAtMs === undefined ? '' : wireTime(new Date(endedAtMs)),
    isRunning: running !== undefined,
    found: findings,
  })
  return {
    /** The latest findings; starts a quick examination in the background when they are old. */
    last(): Checks {
      if (endedAtMs === undefined || now().getTime() - endedAtMs > FRESH_MS)
        background.run('checks of the server', () => start(true))
      return last()
    },
    /** Runs all checks, also those that contact the mail server and the public URL. */
    async all(): Promise<Checks> {
      await running
      await start(false)
      return last()
    },
  }
}
