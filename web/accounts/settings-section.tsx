// One part of the settings: a heading, an explanation, its form or list.
import { type ReactNode, type Ref, useId } from 'react'

type SettingsSectionProps = {
  title: string
  text?: ReactNode
  ref?: Ref<HTMLElement>
  children: ReactNode
}

export function SettingsSection({ title, text, ref, children }: SettingsSectionProps) {
  const id = useId()
  return (
    <section className="setting" ref={ref} aria-labelledby={id}>
      <div className="setting__head">
        <h2 id={id}>{title}</h2>
        {text && <p className="subtitle">{text}</p>}
      </div>
      <div className="panel">{children}</div>
    </section>
  )
}
