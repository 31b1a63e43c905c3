// The image of a post in a box of fixed shape, or its lettered cover when there is none or it does
// not load.

import { useEffect, useRef, useState } from 'react'
import type { ImageSources } from '../files/files-api.ts'
import { comeAgain } from './come-again.ts'
import { LetteredCover } from './lettered-cover.tsx'

type FeaturedImageProps = {
  image: ImageSources | undefined
  /** For screens of at least 64em, where the shape differs. */
  wideImage?: ImageSources
  title: string
  slug: string
  /** The first image of a screen: fetched at once. */
  isEager?: boolean
  onBroken?: () => void
}

/**
 * The box around it belongs to the caller. The title describes the image, so its `alt` is empty.
 */
export function FeaturedImage({
  image,
  wideImage,
  title,
  slug,
  isEager = false,
  onBroken,
}: FeaturedImageProps) {
  const [isBroken, setBroken] = useState(false)
  const element = useRef<HTMLImageElement>(null)

  function handleBroken() {
    setBroken(true)
    onBroken?.()
  }
  // It may have failed before hydration.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only once, on the server's markup
  useEffect(() => {
    const img = element.current
    if (img?.complete && img.naturalWidth === 0 && img.currentSrc) handleBroken()
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the same sources are other objects
  useEffect(
    () => (isBroken && image ? comeAgain(image, () => setBroken(false)) : undefined),
    [isBroken, image?.src],
  )

  if (!image || isBroken) return <LetteredCover title={title} slug={slug} />
  return (
    <picture>
      {wideImage && (
        <source
          media="(min-width: 64em)"
          srcSet={wideImage.srcSet}
          sizes={wideImage.sizes}
          width={wideImage.width}
          height={wideImage.height}
        />
      )}
      <img
        ref={element}
        src={image.src}
        srcSet={image.srcSet}
        sizes={image.sizes}
        width={image.width}
        height={image.height}
        alt=""
        loading={isEager ? 'eager' : 'lazy'}
        fetchPriority={isEager ? 'high' : 'auto'}
        decoding="async"
        onError={handleBroken}
      />
    </picture>
  )
}
