// A labelled switch, at the end of its row.
import type { ReactNode } from 'react'

type SwitchProps = {
  label: ReactNode
  hint?: ReactNode
  isOn: boolean
  isDisabled?: boolean
  onChange: (isOn: boolean) => void
}

/** @param props.isDisabled whether changes are ignored; the switch stays focusable */
export function Switch({ label, hint, isOn, isDisabled = false, onChange }: SwitchProps) {
  return (
    <label className="switch">
      <span>
        {label}
        {hint && <small className="hint">{hint}</small>}
      </span>
      <input
        type="checkbox"
        role="switch"
        checked={isOn}
        aria-checked={isOn}
        aria-disabled={isDisabled || undefined}
        onChange={({ currentTarget }) => !isDisabled && onChange(currentTarget.checked)}
      />
    </label>
  )
}
