// A list of the settings: what the server loaded with the page, and later what the calls answer.
import { type ReactNode, type Ref, useEffect, useEffectEvent, useRef, useState } from 'react'
import { formFailureOf, isSessionGone } from '../accounts/form-failure.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { texts } from '../locales/texts.ts'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'
import { LoadingText } from '../ui/loading-text.tsx'

type ListNeeds<Value> = {
  /** What the server loaded with the page, if it did. */
  first: Value | undefined
  load: () => Promise<Value>
  /** Another one loads again. */
  version?: unknown
}

export function useSettingsList<Value>({ first, load, version }: ListNeeds<Value>) {
  const { refresh } = useViewer()
  const [value, setValue] = useState(first)
  const [failureText, setFailureText] = useState<string | undefined>()
  /** The row that a call is made for. */
  const [waiting, setWaiting] = useState<string | undefined>()
  const isLoaded = useRef(first !== undefined)

  /** A failure is shown above the list. */
  async function attempt(row: string, work: () => Promise<void>): Promise<void> {
    setWaiting(row)
    setFailureText(undefined)
    try {
      await work()
    } catch (error) {
      if (isSessionGone(error)) await refresh()
      setFailureText(formFailureOf(error).message)
    } finally {
      setWaiting(undefined)
    }
  }
  const reload = () => void attempt('page', async () => setValue(await load()))
  const loadNow = useEffectEvent(reload)
  useEffect(() => {
    if (!isLoaded.current) loadNow()
    isLoaded.current = false
  }, [version])
  return { value, setValue, failureText, waiting, attempt, reload }
}

type SettingsListProps = {
  list: Pick<ReturnType<typeof useSettingsList>, 'value' | 'failureText' | 'reload'>
  loadingText?: string
  /** Takes the focus when a button is removed with its row. */
  ref: Ref<HTMLDivElement>
  children: ReactNode
}

export function SettingsList({ list, loadingText, ref, children }: SettingsListProps) {
  const { value, failureText, reload } = list
  return (
    <div ref={ref} tabIndex={-1} className="stack">
      {failureText && <Alert kind="error">{failureText}</Alert>}
      {!value && !failureText && <LoadingText>{loadingText ?? texts.waiting.page}</LoadingText>}
      {!value && failureText && (
        <div className="row">
          <Button onClick={reload}>{texts.actions.tryAgain}</Button>
        </div>
      )}
      {children}
    </div>
  )
}
