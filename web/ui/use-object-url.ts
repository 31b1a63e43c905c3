// An object URL for a local file, revoked when it is no longer needed.

import { useLayoutEffect, useState } from 'react'

export function useObjectUrl(file: File | undefined): string | undefined {
  const [current, setCurrent] = useState<{ file: File; url: string } | undefined>()
  // A layout effect, so that no frame without an image is painted between two files.
  useLayoutEffect(() => {
    if (!file) return setCurrent(undefined)
    const url = URL.createObjectURL(file)
    setCurrent({ file, url })
    return () => URL.revokeObjectURL(url)
  }, [file])
  return current && current.file === file ? current.url : undefined
}
