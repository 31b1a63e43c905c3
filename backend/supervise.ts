// The supervisor as main.ts runs it where BLOG_PROCESSES is more than 1: what it answers to its
// workers. It opens no database.
import type { Config } from './config.ts'
import { answerCounts } from './http/shared-counts.ts'
import type { Log } from './process/log.ts'
import { makeRelay } from './process/relay.ts'
import { superviseWorkers } from './process/supervisor.ts'

/** Runs until the blog stops. @returns the exit code */
export function supervise({ processes }: Config, log: Log): Promise<number> {
  return superviseWorkers({ count: processes, log, relay: makeRelay(answerCounts()) })
}
