// Blog settings: the accent colour, with samples in both themes.
import { CircleAlert, CircleCheck } from 'lucide-react'
import { type CSSProperties, type ReactNode, useId, useState } from 'react'
import { ACCENTS, type AccentTheme, accentForTheme } from '#contract/accent.ts'
import { ACCENT_PATTERN, type SiteValues } from '#contract/site-settings.ts'
import { useForm } from '../forms/use-form.ts'
import { texts } from '../locales/texts.ts'
import { Button } from '../ui/button.tsx'
import { InputField } from '../ui/field.tsx'
import { AdminSection } from './admin-frame.tsx'

const words = texts.adminSettings.accent
const THEMES = ['dark', 'light'] as const
const NAMES = Object.keys(ACCENTS) as (keyof typeof ACCENTS)[]

type AccentProps = {
  saved: string
  save: (changes: Pick<SiteValues, 'accent'>) => Promise<boolean>
}

export function AccentSection({ saved, save }: AccentProps) {
  const group = useId()
  const field = useId()
  const [typed, setTyped] = useState<string>()
  const [isRefused, setRefused] = useState(false)
  const value = typed ?? saved
  const accent = value.trim().toLowerCase()
  const isColor = ACCENT_PATTERN.test(accent)
  const adjusted = isColor ? THEMES.filter((theme) => accentForTheme(theme, accent).unreadable) : []
  function choose(newValue: string) {
    setRefused(false)
    setTyped(newValue)
  }
  const { isBusy, handleSubmit } = useForm(async () => {
    setRefused(!isColor)
    if (!isColor) return document.getElementById(field)?.focus()
    if (await save({ accent })) setTyped(undefined)
  })
  return (
    <AdminSection title={words.title} text={words.about}>
      <form className="box stack panel" noValidate aria-label={words.title} onSubmit={handleSubmit}>
        <fieldset className="row swatches">
          <legend>{words.legend}</legend>
          {NAMES.map((name) => (
            <input
              key={name}
              type="radio"
              className="swatch"
              name={group}
              aria-label={words.names[name]}
              style={{ '--swatch': ACCENTS[name] } as CSSProperties}
              checked={accent === ACCENTS[name]}
              onChange={() => choose(ACCENTS[name])}
            />
          ))}
        </fieldset>
        <InputField
          id={field}
          label={words.value}
          value={value}
          maxLength={7}
          spellCheck={false}
          autoComplete="off"
          error={isRefused && words.invalid}
          onChange={({ target }) => choose(target.value)}
        />
        {isColor && (
          <div className="accent-samples">
            {THEMES.map((theme) => (
              <Samples key={theme} theme={theme} accent={accent} />
            ))}
          </div>
        )}
        {adjusted.length > 0 && <p className="hint">{words.usesAdjusted(adjusted)}</p>}
        <div className="row">
          <Button type="submit" isBusy={isBusy} busyLabel={texts.adminSettings.saving}>
            {words.save}
          </Button>
        </div>
      </form>
    </AdminSection>
  )
}

/** Shows the readable colour and, if it had to be adjusted, first the unreadable original. */
function Samples({ theme, accent }: { theme: AccentTheme; accent: string }) {
  const { accent: color, contrast, unreadable } = accentForTheme(theme, accent)
  const name = words.themes[theme]
  return (
    <>
      {unreadable && (
        <Sample theme={theme} color={unreadable.value} name={name}>
          <CircleAlert className="icon icon--small" aria-hidden="true" />
          {words.unreadable[theme](unreadable.contrast)}
        </Sample>
      )}
      <Sample theme={theme} color={color} name={unreadable ? words.adjusted(name) : name}>
        <CircleCheck className="icon icon--small" aria-hidden="true" />
        {words.readable(contrast)}
      </Sample>
    </>
  )
}

type SampleProps = {
  theme: AccentTheme
  color: string
  name: string
  children: ReactNode
}

function Sample({ theme, color, name, children }: SampleProps) {
  return (
    <div
      className="accent-sample"
      style={{ colorScheme: theme, '--accent': color } as CSSProperties}
    >
      <p>{name}</p>
      <button className="btn btn--primary" type="button" inert>
        {words.sample}
      </button>
      <p className="hint">
        <span className="locked">{children}</span>
      </p>
    </div>
  )
}
