export function newPasswordHint(minLength: number): string {
  return `At least ${minLength} characters. A few unrelated words do well.`;
}
