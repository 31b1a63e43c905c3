// The worker that converts Markdown to HTML, so that a slow text does not block the page.

import { markdownToHtml } from './markdown-document.ts'

addEventListener('message', ({ data }: MessageEvent<string>) => postMessage(markdownToHtml(data)))
