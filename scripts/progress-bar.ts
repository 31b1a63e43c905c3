// Shows the progress of a command: a bar on a terminal, else a line every few seconds.

const LINE_EVERY_MS = 2000
const DRAW_EVERY_MS = 100
const BAR_CHARS = 30

type ShowProgress = (phase: string, done: number, total: number) => void

/** @param name what is counted, such as "Rows copied" */
export function makeProgressBar(output: NodeJS.WriteStream = process.stdout): {
  show: ShowProgress
  /** Ends the bar's line. */
  end(): void
} {
  let lastPhase = ''
  let shownAtMs = 0
  let isLineOpen = false
  const end = () => {
    if (isLineOpen) output.write('\n')
    isLineOpen = false
  }
  return {
    show(phase, done, total) {
      const everyMs = output.isTTY ? DRAW_EVERY_MS : LINE_EVERY_MS
      if (phase === lastPhase && done < total && performance.now() - shownAtMs < everyMs) return
      if (phase !== lastPhase) end()
      shownAtMs = performance.now()
      lastPhase = phase
      const share = total === 0 ? 1 : done / total
      const numbers = `${done.toLocaleString('en')} of ${total.toLocaleString('en')}`
      const text = `${phase}: ${numbers} (${Math.floor(100 * share)} %)`
      if (!output.isTTY) return void output.write(`${text}\n`)
      const filled = '█'.repeat(Math.round(share * BAR_CHARS)).padEnd(BAR_CHARS, '░')
      output.write(`\r\u001b[K${filled} ${text}`)
      isLineOpen = true
      if (done >= total) end()
    },
    end,
  }
}
