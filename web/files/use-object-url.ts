// An object URL for a local file, revoked when it is no longer needed.

import { useEffect, useState } from 'react'

export function useObjectUrl(file: File | undefined): string | undefined {
  const [made, setMade] = useState<{ file: File; url: string } | undefined>()
  useEffect(() => {
    if (!file) return setMade(undefined)
    const url = URL.createObjectURL(file)
    setMade({ file, url })
    return () => URL.revokeObjectURL(url)
  }, [file])
  return made && made.file === file ? made.url : undefined
}
