// The notice after a paste goes at the next key, or by itself.

import type { Editor } from 'hugerte'
import { useCallback, useEffect, useState } from 'react'
import { NOTICE_MS, type PasteNotice } from './paste-notice.ts'

/** Keys that alone change nothing: the notice has a button to be reached. */
const HELD_KEYS = ['Shift', 'Control', 'Alt', 'Meta', 'AltGraph', 'Tab']

export function usePasteNotice() {
  const [notice, setNotice] = useState<PasteNotice | undefined>()
  useEffect(() => {
    if (!notice) return
    const timer = setTimeout(() => setNotice(undefined), NOTICE_MS)
    return () => clearTimeout(timer)
  }, [notice])
  const listenTo = useCallback((editor: Editor) => {
    editor.on('keydown', ({ key }) => {
      if (!HELD_KEYS.includes(key)) setNotice(undefined)
    })
  }, [])
  return { notice, setNotice, listenTo }
}
