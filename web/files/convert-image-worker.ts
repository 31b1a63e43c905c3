// The worker that redraws an image, so that a large one does not block the page.
import { type ConversionRequest, drawImage } from './convert-image.ts'

addEventListener('message', (event: MessageEvent<ConversionRequest>) => {
  drawImage(event.data).then(
    (drawn) => postMessage(drawn),
    () => postMessage(undefined),
  )
})
