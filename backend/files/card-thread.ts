// The thread in which the letters of share cards are set: opening fonts and joining letters takes
// too long for the thread that answers. Speaks to cards.ts alone.
import { parentPort } from 'node:worker_threads'
import { type CardTexts, drawCard } from './card-svg.ts'
import { makeFontFiles } from './fonts.ts'

const fonts = makeFontFiles()

parentPort?.on('message', async (texts: CardTexts) => {
  parentPort?.postMessage(await drawCard(fonts, texts))
})
parentPort?.postMessage('ready')
