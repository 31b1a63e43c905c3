// The image library, in the processes that draw: which decoders uploaded bytes may reach.
import sharp from 'sharp'
import { IMAGE_FRAME_MAX_PIXELS } from '#contract/limits.ts'

/** Of all frames together, as uploads may have. */
const ANIMATION_MAX_PIXELS = 150_000_000

// Uploaded bytes reach png, jpeg and gif only; svg is for masks and drawings of our own.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Png', 'Jpeg', 'Nsgif', 'Svg'].map((name) => `VipsForeignLoad${name}Buffer`),
})
// Each image is decoded once: a cache of decoded ones would only cost memory.
sharp.cache(false)
sharp.concurrency(1)

export { sharp }

/** Opens an uploaded or stored image: strictly, and within the limits. */
export function openImage(bytes: Buffer, { isAnimated = false } = {}) {
  return sharp(bytes, {
    failOn: 'warning',
    sequentialRead: true,
    limitInputPixels: isAnimated ? ANIMATION_MAX_PIXELS : IMAGE_FRAME_MAX_PIXELS,
    animated: isAnimated,
  })
}
