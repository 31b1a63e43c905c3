// Which view shows the text: the form with all fields, or the writing view, whose code is loaded
// when it is first shown.
import { useEffect, useEffectEvent, useState } from 'react'
import { flushSync } from 'react-dom'
import { useViewer } from '../accounts/viewer.tsx'
import { texts } from '../locales/texts.ts'
import { useSavePreferences } from '../shell/device-preferences.ts'
import { loadCode } from '../ui/load-code.ts'
import { useToasts } from '../ui/toasts.tsx'

type WritingParts = typeof import('./writing-view.tsx')

/**
 * The form is shown while there are no `parts` of the writing view, and neither of the two while
 * the view is being loaded because it was chosen last.
 *
 * @param onSwitched called when the writer has switched to the other view
 * @param options a new page of the blog begins in the writing view, unless the form was chosen
 */
export function useWritingView(onSwitched: () => void, { isNewPage = false } = {}) {
  const savePreferences = useSavePreferences()
  const { show } = useToasts()
  const { writingView = isNewPage ? 'writing' : 'form' } = useViewer().prefs
  const wasChosen = writingView === 'writing'
  const [isLoading, setLoading] = useState(wasChosen)
  const [parts, setParts] = useState<WritingParts | undefined>()

  async function load() {
    const loaded = await loadCode(() => import('./writing-view.tsx')).catch(() => undefined)
    if (!loaded) show({ kind: 'error', text: texts.failures.appMissing })
    return loaded
  }
  const showChosen = useEffectEvent(async () => {
    setParts(await load())
    setLoading(false)
  })
  useEffect(() => {
    if (isLoading) void showChosen()
  }, [isLoading])

  function switchTo(newParts: WritingParts | undefined) {
    flushSync(() => setParts(newParts))
    onSwitched()
    void savePreferences({ writingView: newParts ? 'writing' : 'form' })
  }
  return {
    parts,
    isLoading,
    async showWriting() {
      const loaded = await load()
      if (loaded) switchTo(loaded)
    },
    showForm: () => switchTo(undefined),
  }
}
