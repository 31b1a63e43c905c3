// Options of which the user chooses one, each on a line of its own with room for a hint.
import { useEffect, useId, useState } from 'react'

type OptionsProps<Value extends string> = {
  legend: string
  options: readonly { value: Value; name: string; hint?: string }[]
  /** A choice is shown at once, before this value changes. Each new value is shown. */
  selected: Value
  onChoose: (value: Value) => void
}

export function Options<Value extends string>({
  legend,
  options,
  selected,
  onChoose,
}: OptionsProps<Value>) {
  const group = useId()
  const [shown, setShown] = useState(selected)
  useEffect(() => setShown(selected), [selected])
  return (
    <fieldset className="options">
      <legend>{legend}</legend>
      {options.map(({ value, name, hint }) => (
        <label key={value} className="option">
          <input
            className="option__mark"
            type="radio"
            name={group}
            value={value}
            checked={value === shown}
            onChange={() => {
              setShown(value)
              onChoose(value)
            }}
          />
          <span>
            {name}
            {hint && <small className="hint">{hint}</small>}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
