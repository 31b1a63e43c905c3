// Turns Markdown into HTML beside the page, and gives up what takes too long.

/** Pasted Markdown that takes longer to become rich text stays as it was typed. */
const MARKDOWN_TIMEOUT_MS = 5000

/** Undefined when it can not be had, or not in time. */
export async function convertMarkdown(text: string): Promise<string | undefined> {
  if (typeof Worker === 'undefined') return undefined
  const worker = new Worker(new URL('./markdown-worker.ts', import.meta.url), { type: 'module' })
  let timer: ReturnType<typeof setTimeout> | undefined
  try {
    return await new Promise((resolve) => {
      worker.onmessage = ({ data }: MessageEvent<string>) => resolve(data)
      worker.onerror = () => resolve(undefined)
      timer = setTimeout(() => resolve(undefined), MARKDOWN_TIMEOUT_MS)
      worker.postMessage(text)
    })
  } finally {
    clearTimeout(timer)
    worker.terminate()
  }
}
