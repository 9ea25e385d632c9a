<?php

// The parts of Laravel that the route uses.
namespace Illuminate\Http {
    class Request
    {
        public function getContent(): string
        {
            return file_get_contents('php://stdin');
        }

        public function header(string $name): ?string
        {
            $value = getenv($name === 'X-Webhook-Signature' ? 'SIGNATURE' : 'PREVIOUS');
            return $value === false ? null : $value;
        }
    }
}

namespace Illuminate\Support\Facades {
    class Route
    {
        public static $handler;

        public static function post(string $path, callable $handler): void
        {
            self::$handler = $handler;
        }
    }
}

namespace {
    function response(string $body, int $status): int
    {
        return $status;
    }

    require $argv[1];
    $status = (\Illuminate\Support\Facades\Route::$handler)(new \Illuminate\Http\Request());
    echo $status === 204 ? 'genuine' : 'rejected';
}
