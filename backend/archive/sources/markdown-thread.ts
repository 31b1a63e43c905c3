// The thread that converts long Markdown to HTML: some texts would take hours, and are given up.
import { parentPort } from 'node:worker_threads'
import { markdownToHtml } from './markdown-html.ts'

parentPort?.on('message', (text: string) => {
  try {
    parentPort?.postMessage({ html: markdownToHtml(text) })
  } catch {
    parentPort?.postMessage({ html: undefined })
  }
})
parentPort?.postMessage('ready')
