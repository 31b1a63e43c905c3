// The worker thread that processes texts which would block the event loop: long bodies, and code to
// highlight. Highlighting may never end; then the thread is stopped. Used by text-worker-pool.ts.

import { parentPort } from 'node:worker_threads'
import { Refusal } from '#contract/errors.ts'
import { analyseWords } from '../search/fold-words.ts'
import { highlightCode } from './highlight-code.ts'
import { makeSanitise } from './sanitise.ts'
import type { TextAnswer, TextTask } from './text-worker-pool.ts'

function processTask(task: TextTask): TextAnswer {
  if ('samples' in task)
    return task.samples.map(({ code, language }) => highlightCode(code, language) ?? null)
  return 'addresses' in task ? clean(task) : analyseWords(task)
}

function clean({ html, addresses }: Extract<TextTask, { html: string }>): TextAnswer {
  try {
    return { clean: makeSanitise(addresses)(html) }
  } catch (error) {
    if (error instanceof Refusal) return { refusal: [error.type, error.message] }
    throw error
  }
}

parentPort?.on('message', (task: TextTask) => parentPort?.postMessage(processTask(task)))
parentPort?.postMessage('ready')
