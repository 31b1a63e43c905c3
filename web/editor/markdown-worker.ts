// The worker that turns Markdown into HTML: a text that takes long does not hold up the page.

import { markdownToHtml } from './markdown-html.ts'

addEventListener('message', ({ data }: MessageEvent<string>) => postMessage(markdownToHtml(data)))
