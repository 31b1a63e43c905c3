// A part of a screen that few people see, loaded when it is to be shown.
import { type ComponentType, useEffect, useEffectEvent, useState } from 'react'
import { texts } from '../locales/texts.ts'
import { loadCode } from './load-code.ts'
import { useToasts } from './toasts.tsx'

type LazyPartProps<Props> = {
  load: () => Promise<ComponentType<Props>>
  props: Props
  /** The text of the toast that says that the part cannot be loaded. */
  failedText?: string
  /** Called when the part cannot be loaded. */
  onFailed?: () => void
}

/** Shows nothing until the part is loaded. */
export function LazyPart<Props extends object>({
  load,
  props,
  failedText = texts.failures.appMissing,
  onFailed,
}: LazyPartProps<Props>) {
  const { show } = useToasts()
  const [Part, setPart] = useState<ComponentType<Props> | undefined>()
  const start = useEffectEvent(() => loadCode(load))
  const handleFailure = useEffectEvent(() => {
    show({ kind: 'error', text: failedText })
    onFailed?.()
  })
  useEffect(() => {
    let isUnmounted = false
    start().then(
      (loaded) => setPart(() => loaded),
      () => {
        if (!isUnmounted) handleFailure()
      },
    )
    return () => {
      isUnmounted = true
    }
  }, [])
  return Part && <Part {...props} />
}
