// The thread in which code is highlighted: one hostile sample may take for ever, and is ended with
// its thread. Speaks to highlighter.ts alone.
import { parentPort } from 'node:worker_threads'
import type { CodeSample } from './code-samples.ts'
import { highlightCode } from './highlight-code.ts'

parentPort?.on('message', (samples: CodeSample[]) => {
  parentPort?.postMessage(
    samples.map(({ code, language }) => highlightCode(code, language) ?? null),
  )
})
parentPort?.postMessage('ready')
