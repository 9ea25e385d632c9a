import type { InputHTMLAttributes } from 'preact';
import { useId } from 'preact/hooks';

/** Error messages by field. */
export type FieldErrors = Readonly<Record<string, string | undefined>>;

/** Merges the errors that the form found with the one that the service reports. */
export const withServiceError = (
  errors: FieldErrors,
  failure: { readonly message: string; readonly field?: string } | undefined,
): FieldErrors => {
  const field = failure?.field?.split('.')[0];
  return field === undefined || errors[field] !== undefined ? errors : { ...errors, [field]: failure?.message };
};

export const FieldError = ({ id, error }: { readonly id: string; readonly error: string | undefined }) =>
  error === undefined ? null : (
    <p class="field-error" id={id} role="alert">
      {error}
    </p>
  );

interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly onText: (text: string) => void;
  readonly type?: 'text' | 'url' | 'datetime-local';
  readonly placeholder?: string;
  readonly required?: boolean;
  readonly autofocus?: boolean;
  readonly maxLength?: number;
}

/** A text field with its error beside it. */
export const TextField = ({ label, error, onText, ...rest }: TextFieldProps) => {
  const id = useId();
  // Preact has a type of attributes for each type of input; this field has several.
  const input = rest as InputHTMLAttributes<HTMLInputElement>;
  return (
    <div class="field">
      <label for={`${id}-input`}>{label}</label>
      <input
        {...input}
        autocomplete="off"
        id={`${id}-input`}
        aria-invalid={error !== undefined}
        aria-describedby={error === undefined ? undefined : `${id}-error`}
        onInput={(event) => onText(event.currentTarget.value)}
      />
      <FieldError id={`${id}-error`} error={error} />
    </div>
  );
};

/** Moves the focus to the first invalid field of a form once its errors are drawn. */
export const focusInvalid = (form: HTMLFormElement) =>
  requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
