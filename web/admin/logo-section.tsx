// Blog settings: the logo, which the server draws from the picture that is chosen here.
import { Image } from 'lucide-react'
import { useRef } from 'react'
import { useApi } from '../api/client.ts'
import { FormFailure } from '../forms/form-failure.ts'
import { FormOutcome } from '../forms/form-parts.tsx'
import { useCall } from '../forms/use-form.ts'
import { texts } from '../locales/texts.ts'
import { reasonText } from '../posts/failure-cause.ts'
import { BrandMark } from '../shell/bars.tsx'
import { Button } from '../ui/button.tsx'
import { useToasts } from '../ui/toasts.tsx'
import { fileChangeHandler } from '../ui/use-file-choice.ts'
import { changeLogo, type EditableSiteValues } from './admin-api.ts'
import { AdminSection } from './admin-frame.tsx'

const words = texts.adminSettings.logo

type LogoProps = { logo: string; show: (values: EditableSiteValues) => void }

export function LogoSection({ logo, show }: LogoProps) {
  const api = useApi()
  const toasts = useToasts()
  const input = useRef<HTMLInputElement>(null)
  const chooseButton = useRef<HTMLButtonElement>(null)
  const chosenFile = useRef<File>(undefined)
  const { isBusy, failure, call } = useCall(async () => {
    const saved = await changeLogo(api, chosenFile.current)
    if (saved.ok) {
      show(saved.value)
      return toasts.show({ kind: 'ok', text: texts.adminSettings.saved })
    }
    const { type, code } = saved.failure
    const isUnfit = type === 'storage_invalid_file' || code === 413
    throw new FormFailure(isUnfit ? words.unfit : reasonText(saved.failure))
  })
  function change(file: File | undefined) {
    chosenFile.current = file
    void call()
  }
  return (
    <AdminSection title={words.title} text={words.about}>
      <div className="box stack panel">
        <FormOutcome failureText={failure?.message} doneText={undefined} />
        <div className="row logo-choice">
          <BrandMark />
          <input
            ref={input}
            className="visually-hidden"
            type="file"
            accept="image/png,image/jpeg,image/svg+xml"
            aria-label={words.choose}
            tabIndex={-1}
            onChange={fileChangeHandler((file) => file && change(file))}
          />
          <Button
            ref={chooseButton}
            isBusy={isBusy}
            busyLabel={texts.adminSettings.saving}
            onClick={() => input.current?.click()}
          >
            <Image className="icon icon--small" aria-hidden="true" />
            {words.choose}
          </Button>
          {logo !== '' && (
            <Button
              kind="ghost"
              onClick={() => {
                // This button disappears once the lamp is the logo again.
                chooseButton.current?.focus()
                change(undefined)
              }}
            >
              {words.lamp}
            </Button>
          )}
        </div>
        <p className="hint">{words.rule}</p>
      </div>
    </AdminSection>
  )
}
