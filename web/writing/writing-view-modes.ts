// How the writing view looks: with the full toolbar, in focus mode, and its keys. The modes are an
// attribute of <html>, because header and footer follow them, too (writing-view.css).
import type { Editor } from 'hugerte'
import { useEffect, useEffectEvent, useLayoutEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { useViewer } from '../accounts/viewer.tsx'
import { writingModes } from '../editor/writing-modes.ts'
import { texts } from '../locales/texts.ts'
import { useSavePreferences } from '../shell/device-preferences.ts'
import { usePageEvent } from '../ui/use-page-event.ts'

export function useWritingModes(editor: Editor | undefined) {
  const savePreferences = useSavePreferences()
  const { prefs } = useViewer()
  const [hasToolbar, setToolbar] = useState(prefs.fullToolbar === 'on')
  const [hasQuotes, setQuotes] = useState(prefs.smartQuotes === 'on')
  /** The toolbar is shown until Esc is pressed. */
  const [showsToolbar, setShowsToolbar] = useState(false)
  const [isFocused, setFocused] = useState(false)
  const isPlain = !hasToolbar && !showsToolbar
  useLayoutEffect(() => {
    const root = document.documentElement
    root.dataset.writing = `${isPlain ? 'plain' : 'full'}${isFocused ? ' focus' : ''}`
    return () => {
      delete root.dataset.writing
    }
  }, [isPlain, isFocused])
  useLayoutEffect(() => {
    const root = editor?.getDoc().documentElement
    root?.toggleAttribute('data-plain', isPlain)
    return () => root?.removeAttribute('data-plain')
  }, [editor, isPlain])
  useInvitation(editor)
  useEffect(() => {
    writingModes.set({ isFocused, hasQuotes })
    return () => writingModes.set({ isFocused: false, hasQuotes: false })
  }, [isFocused, hasQuotes])

  function handleKey(event: KeyboardEvent): void {
    if (event.defaultPrevented || document.querySelector('dialog[open]')) return
    const { key, altKey, shiftKey } = event
    const hasControl = event.ctrlKey || event.metaKey
    // The editor itself then moves the focus to the toolbar.
    if (altKey && key === 'F10' && !hasToolbar)
      flushSync(() => setShowsToolbar(editor?.selection.isCollapsed() === true))
    else if (key === 'Escape' && showsToolbar) {
      setShowsToolbar(false)
      editor?.focus()
    } else {
      if (hasControl && shiftKey && key.toLowerCase() === 'f') setFocused(!isFocused)
      else if (key === 'Escape' && isFocused) setFocused(false)
      else return
      event.preventDefault()
    }
  }
  usePageEvent('keydown', handleKey)
  const handleTextKey = useEffectEvent(handleKey)
  useEffect(() => {
    const listener = (event: KeyboardEvent) => handleTextKey(event)
    editor?.on('keydown', listener, true)
    return () => void editor?.off('keydown', listener)
  }, [editor])
  return {
    modes: { hasToolbar, isFocused, hasQuotes },
    toggleFocus: () => setFocused(!isFocused),
    toggleToolbar() {
      setToolbar(!hasToolbar)
      void savePreferences({ fullToolbar: hasToolbar ? 'off' : 'on' })
    },
    toggleQuotes() {
      setQuotes(!hasQuotes)
      void savePreferences({ smartQuotes: hasQuotes ? 'off' : 'on' })
    },
  }
}

const PLACEHOLDER = 'data-mce-placeholder'

/** Another placeholder of the text than in the form. */
function useInvitation(editor: Editor | undefined): void {
  useEffect(() => {
    if (!editor) return
    const show = (text: string) => {
      const body = editor.getBody()
      if (body?.getAttribute(PLACEHOLDER)) body.setAttribute(PLACEHOLDER, text)
    }
    const update = () => show(texts.writingView.invitation)
    update()
    editor.on('PlaceholderToggle', update)
    return () => {
      editor.off('PlaceholderToggle', update)
      show(texts.editor.invitation)
    }
  }, [editor])
}
