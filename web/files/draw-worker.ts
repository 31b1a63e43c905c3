// The worker that draws an image, so that a large one does not hold up the page.
import { type DrawOrder, drawImage } from './draw-image.ts'

addEventListener('message', (event: MessageEvent<DrawOrder>) => {
  drawImage(event.data).then(
    (drawn) => postMessage(drawn),
    () => postMessage(undefined),
  )
})
