// The thread that converts long Markdown to HTML: some texts would take hours, and are given up.
import { parentPort } from 'node:worker_threads'
import { tryMarkdownToHtml } from './markdown-html.ts'

parentPort?.on('message', (text: string) => {
  parentPort?.postMessage({ html: tryMarkdownToHtml(text) })
})
parentPort?.postMessage('ready')
